"""Changes to a terminal's text on its way into a ticket: prompts, prose, colours, quotes, folded and cut lines."""
import random


def fold(text, width):
    return "".join("\n".join(line[i : i + width].rstrip() for i in range(0, max(len(line), 1), width)) + "\n" for line in text.splitlines())


def chop(text, width):
    return "".join(line[:width] + "\n" for line in text.splitlines())


def end(text):
    lines = text.splitlines()
    return "".join(line + "\n" for line in lines[: random.randint(1, len(lines))]) if lines else text


def beginning(text):
    lines = text.splitlines()
    return "".join(line + "\n" for line in lines[random.randint(0, max(len(lines) - 1, 0)) :])


def colour(text):
    return "".join("\x1b[1;3%dm%s\x1b[0m\r\n" % (random.randint(1, 7), line) for line in text.splitlines())


def quote(text):
    return "".join("> " + line + "\n" for line in text.splitlines())


def some_rows(text):
    lines = text.splitlines()
    return "".join(line + "\n" for i, line in enumerate(lines) if i < 2 or random.random() < 0.6)


WAYS = [lambda t: t] * 4 + [lambda t: fold(t, 80), lambda t: fold(t, 120), lambda t: chop(t, 80), lambda t: chop(t, 100), end, beginning, some_rows]
DRESS = [lambda t: t] * 3 + [colour, quote, lambda t: t.replace("\n", "\r\n"), lambda t: quote(quote(t))]
PROSE = ["", "Hello,\n\nmy jobs do not start since Monday, please help.\n\n", "-- \nDana, Physics\n", "See below:\n", "\n\n",
         "On Monday Dana wrote:\n"]
PROMPTS = ["$ %s\n", "[dana@login1 ~]$ %s\n", "dana@login1:~$ %s\n", "login1% %s\n", "", ""]


def paste(all_outputs):
    text = ""
    for command, output in random.sample(all_outputs, random.randint(1, min(7, len(all_outputs)))):
        prompt = random.choice(PROMPTS)
        text += random.choice(PROSE) + (prompt.replace("%s", command) if prompt else "") + random.choice(WAYS)(output)
    text = random.choice(DRESS)(text + random.choice(PROSE))
    return text[: random.randint(1, len(text))] if random.random() < 0.2 else text
