"""lab.py MAUI OUT SEED [STEP]...: makes captures of Maui's simulation (MAUI/bin/maui) of each site of the seed, stopped
at the steps, and runs it once more from beginning to end to record when each job really started (truth/starts.txt)."""
import glob
import os
import re
import shutil
import socket
import subprocess
import sys
import time

from sites import sites

HEAD = """SERVERHOST {host}
ADMIN1 root
RMPOLLINTERVAL 00:01:00
SERVERPORT {port}
SERVERMODE SIMULATION
SIMRESOURCETRACEFILE traces/resource
SIMWORKLOADTRACEFILE traces/workload
SIMSTOPITERATION 1
SIMINITIALQUEUEDEPTH {depth}
SIMJOBSUBMISSIONPOLICY NORMAL
SIMAUTOSHUTDOWN FALSE
LOGFILE maui.log
LOGLEVEL 1
"""
LAST = 2400
COMMANDS = [["showq"], ["showq", "-i"], ["showq", "-r"], ["showq", "-r", "-v"], ["showres"], ["showres", "-n"],
            ["diagnose", "-j"], ["diagnose", "-f"], ["diagnose", "-p"], ["diagnose", "-r"], ["diagnose", "-q"], ["diagnose", "-u"],
            ["showbf"], ["showstate"]]


class Server:
    def __init__(self, maui, folder):
        self.bin, self.folder = maui + "/bin/", folder
        self.env = dict(os.environ, MAUIHOMEDIR=folder, LD_PRELOAD=os.environ["FROZEN"], TZ="UTC")
        self.process = subprocess.Popen([self.bin + "maui", "-d"], env=self.env, cwd=folder,
                                        stdout=open(folder + "/server.out", "w"), stderr=subprocess.STDOUT)
        for _ in range(100):
            if "Jobs" in self.ask("showq"):
                return
            time.sleep(.1)
        raise SystemExit("no server: " + open(folder + "/server.out").read())

    def ask(self, *argv):
        done = subprocess.run([self.bin + argv[0], *argv[1:]], env=self.env, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=60)
        return done.stdout.decode("latin1")

    def stop_at(self, iteration):
        self.ask("schedctl", "-s", "%dI" % iteration)
        before, same = None, 0
        while same < 8:
            now = self.ask("showstats")
            same = same + 1 if now == before else 0
            before = now
            time.sleep(.05)

    def stop(self):
        self.ask("schedctl", "-k")
        self.process.terminate()
        self.process.wait()


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f:
        f.write(text)


def capture(server, folder):
    "showq -b and checkjob last: what they change is seen by those that are asked after them"
    shutil.copytree(server.folder + "/traces", folder + "/traces")
    shutil.copytree(server.folder + "/stats", folder + "/stats")
    windows = glob.glob(server.folder + "/stats/FS.*")
    for name in windows:
        os.makedirs(folder + "/fs_in", exist_ok=True)
        shutil.move(folder + "/stats/" + os.path.basename(name), folder + "/fs_in")
    shutil.copy(server.folder + "/maui.cfg", folder)
    for command in COMMANDS:
        write(folder + "/out/%s.txt" % "_".join(command), server.ask(*command))
    for job in re.findall(r"^(\d+)\s", open(folder + "/out/showq.txt").read(), re.M):
        write(folder + "/out/checkjob_-v_%s.txt" % job, server.ask("checkjob", "-v", job))
        write(folder + "/out/showstart_%s.txt" % job, server.ask("showstart", job))
    write(folder + "/out/showq_-b.txt", server.ask("showq", "-b"))


def started(folder):
    rows = {}
    for line in open(folder + "/stats/simstat.out"):
        words = line.split()
        if len(words) > 40 and not words[0].startswith("#"):
            rows[words[0]] = words[10], words[11]
    return "".join("%s %s %s\n" % (job, *rows[job]) for job in rows)


def begin(maui, out, site):
    "a server of the site that has made its first iteration"
    name, settings, resources, work, actions = site
    folder = out + "/run/" + name
    shutil.rmtree(folder, ignore_errors=True)
    for part in ("stats", "spool", "log", "tools"):
        os.makedirs(folder + "/" + part)
    with socket.socket() as s:
        s.bind(("", 0))
        port = s.getsockname()[1]
    write(folder + "/maui.cfg", HEAD.format(host=socket.gethostname(), port=port, depth=len(work)) + settings)
    write(folder + "/traces/resource", "\n".join(resources) + "\n")
    write(folder + "/traces/workload", "\n".join(work) + "\n")
    server = Server(maui, folder)
    for action in actions:
        server.ask(*action)
    return server


def run(maui, out, site, step, then):
    server = begin(maui, out, site)
    try:
        server.stop_at(step)
        if then:
            capture(server, then)
    finally:
        server.stop()
    return server.folder


def make(maui, out, site, steps):
    """A query changes the simulation: checkjob and showq -b check a job as an iteration does, and set its wait again
    (src/MPolicy.c:MQueueSelectAllJobs, called by src/UserI.c). So each capture has its own server, and another one
    without queries records when jobs start."""
    made = [out + "/%s@%d" % (site[0], step) for step in steps]
    for folder, step in zip(made, steps):
        shutil.rmtree(folder, ignore_errors=True)
        run(maui, out, site, step, folder)
    truth = started(run(maui, out, site, LAST, None))
    for folder in made:
        write(folder + "/truth/starts.txt", truth)


if __name__ == "__main__":
    steps = list(map(int, sys.argv[4:])) or [5, 45]
    for site in sites(int(sys.argv[3])):
        make(sys.argv[1], os.path.abspath(sys.argv[2]), site, steps)
        print(site[0], flush=True)
