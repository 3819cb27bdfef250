/* base/memory: arena, interned strings and vectors. */
#include "fstest.h"

#include "base/memory.h"

static void arena_is_zeroed_and_aligned(void **state)
{
	struct fsi_arena a = { 0 };
	unsigned char *p[2000];
	uint64_t seed = 7;

	(void)state;
	for (unsigned i = 0; i < 2000; i++) {
		const size_t size = 1 + fst_below(&seed, i % 50 ? 200 : 50000);

		p[i] = fsi_arena_alloc(&a, size);
		assert_non_null(p[i]);
		assert_int_equal((uintptr_t)p[i] % 16, 0);
		for (size_t k = 0; k < size; k++)
			assert_int_equal(p[i][k], 0);
		memset(p[i], (int)(i % 255) + 1, size);
	}
	for (unsigned i = 0; i < 2000; i++) /* no object overlaps another */
		assert_int_equal(p[i][0], i % 255 + 1);
	fsi_arena_release(&a);
}

static void arena_refuses_overflow(void **state)
{
	struct fsi_arena a = { 0 };

	(void)state;
	assert_null(fsi_arena_alloc(&a, SIZE_MAX));
	assert_null(fsi_arena_alloc(&a, SIZE_MAX - 15));
	assert_null(fsi_arena_array(&a, SIZE_MAX / 2, 4));
	assert_null(fsi_arena_strndup(&a, "x", SIZE_MAX));
	assert_non_null(fsi_arena_array(&a, 0, 8));
	assert_non_null(fsi_arena_array(&a, 8, 0));
	fsi_arena_release(&a);
}

static void arena_copies_memory_and_strings(void **state)
{
	struct fsi_arena a = { 0 };
	const int numbers[] = { 1, 2, 3 };

	(void)state;
	const int *copy = fsi_arena_copy(&a, numbers, sizeof(numbers));
	assert_memory_equal(copy, numbers, sizeof(numbers));
	assert_string_equal(fsi_arena_strndup(&a, "abcdef", 3), "abc");
	assert_string_equal(fsi_arena_strndup(&a, "", 0), "");
	fsi_arena_release(&a);
	assert_null(a.head);
	assert_non_null(fsi_arena_alloc(&a, 10)); /* the arena is usable again */
	fsi_arena_release(&a);
	fsi_arena_release(&a);
}

static void arena_keeps_filling_after_a_large_object(void **state)
{
	struct fsi_arena a = { 0 };
	char *small = fsi_arena_alloc(&a, 16);

	(void)state;
	memset(fsi_arena_alloc(&a, 1000000), 1, 1000000);
	char *next = fsi_arena_alloc(&a, 16);
	assert_non_null(small);
	assert_non_null(next);
#ifndef FSI_ARENA_DEBUG
	assert_ptr_equal(next, small + 16);
#endif
	fsi_arena_release(&a);
}

/* Memory from a reset arena is zeroed, whatever sizes were allocated before the reset. */
static void arena_is_zeroed_again_after_a_reset(void **state)
{
	struct fsi_arena a = { 0 };
	uint64_t seed = 11;

	(void)state;
	fsi_arena_reset(&a);
	for (unsigned round = 0; round < 60; round++) {
		for (unsigned i = 0; i < 40; i++) {
			const size_t size = 1 + fst_below(&seed, i == round ? 200000 : 3000);
			unsigned char *p = fsi_arena_alloc(&a, size);

			assert_non_null(p);
			for (size_t k = 0; k < size; k++)
				assert_int_equal(p[k], 0);
			memset(p, 0xff, size);
		}
		fsi_arena_reset(&a);
	}
	fsi_arena_release(&a);
}

static void intern_gives_equal_ids(void **state)
{
	struct fsi_intern t = { 0 };

	(void)state;
	assert_int_equal(fsi_intern_find_id(&t, "a", 1), 0);
	assert_int_equal(fsi_intern_add(&t, "", 0), 0);
	assert_string_equal(fsi_intern_get_string(&t, 0), "");
	const uint32_t a = fsi_intern_add(&t, "alice", 5), b = fsi_intern_add(&t, "bob", 3);
	assert_int_equal(a, 1);
	assert_int_equal(b, 2);
	assert_int_equal(fsi_intern_add(&t, "alice", 5), a);
	assert_int_equal(fsi_intern_add(&t, "alicex", 5), a);
	assert_int_equal(fsi_intern_find_id(&t, "bob", 3), b);
	assert_int_equal(fsi_intern_find_id(&t, "bo", 2), 0);
	assert_string_equal(fsi_intern_get_string(&t, a), "alice");
	assert_int_equal(fsi_intern_get_length(&t, a), 5);
	assert_string_equal(fsi_intern_get_string(&t, 99), "");
	assert_int_equal(fsi_intern_get_length(&t, 99), 0);
	fsi_intern_release(&t);
	assert_int_equal(fsi_intern_find_id(&t, "bob", 3), 0);
}

static void intern_reserve_avoids_later_growth(void **state)
{
	struct fsi_intern t = { 0 };
	const uint32_t a = fsi_intern_add(&t, "alice", 5);
	char name[16];

	(void)state;
	assert_int_equal(fsi_intern_reserve(&t, 1000), 0);
	const uint32_t cap = t.cap, nslots = t.nslots;

	for (uint32_t i = 0; i < 1000; i++) {
		snprintf(name, sizeof(name), "n%u", i);
		assert_int_equal(fsi_intern_add(&t, name, strlen(name)), a + 1 + i);
	}
	assert_int_equal(fsi_intern_find_id(&t, "alice", 5), a);
	assert_int_equal(t.cap, cap);
	assert_int_equal(t.nslots, nslots);
	assert_int_equal(fsi_intern_reserve(&t, 0), 0);
	assert_int_equal(fsi_intern_reserve(&t, UINT32_MAX - 2), -1);
	assert_string_equal(fsi_intern_get_string(&t, a), "alice");
	fsi_intern_release(&t);
}

/* Borrowed strings are not copied, their ids follow their order, and duplicates are refused. */
static void intern_indexes_borrowed_strings(void **state)
{
	static char text[500][8];
	struct fsi_intern t = { 0 };

	(void)state;
	assert_int_equal(fsi_intern_reserve(&t, 500), 0);
	for (uint32_t i = 0; i < 499; i++)
		fsi_intern_add_borrowed(&t, text[i], (uint32_t)snprintf(text[i], sizeof(text[i]), "n%u", i * 7));
	assert_true(fsi_intern_index_borrowed(&t));
	for (uint32_t i = 0; i < 499; i++) {
		assert_int_equal(fsi_intern_find_id(&t, text[i], strlen(text[i])), i + 1);
		assert_ptr_equal(fsi_intern_get_string(&t, i + 1), text[i]);
	}
	assert_int_equal(fsi_intern_find_id(&t, "n1", 2), 0);
	fsi_intern_release(&t);

	assert_int_equal(fsi_intern_reserve(&t, 3), 0);
	fsi_intern_add_borrowed(&t, text[1], 2);
	fsi_intern_add_borrowed(&t, text[2], 3);
	fsi_intern_add_borrowed(&t, "n7", 2);
	assert_false(fsi_intern_index_borrowed(&t));
	fsi_intern_release(&t);
}

static void intern_takes_any_bytes(void **state)
{
	struct fsi_intern t = { 0 };

	(void)state;
	const uint32_t a = fsi_intern_add(&t, "a\0b", 3), b = fsi_intern_add(&t, "a\0c", 3);
	const uint32_t c = fsi_intern_add(&t, "a", 1), d = fsi_intern_add(&t, "\0", 1);
	assert_true(a != b && b != c && a != c && d && d != a);
	assert_int_equal(fsi_intern_get_length(&t, a), 3);
	assert_memory_equal(fsi_intern_get_string(&t, b), "a\0c", 4);
	fsi_intern_release(&t);
}

/* Adds strings of every length up to 40 bytes. For each length and each byte position, also adds a string that differs
 * only in the byte at this position. */
static void intern_distinguishes_every_byte(void **state)
{
	char zeros[40] = "", s[40];
	struct fsi_intern t = { 0 };
	uint32_t want = 1;

	(void)state;
	for (int again = 0; again < 2; again++, want = 1)
		for (size_t len = 1; len <= sizeof(s); len++) {
			assert_int_equal(fsi_intern_add(&t, zeros, len), want++);
			for (size_t at = 0; at < len; at++) {
				memset(s, 0, sizeof(s));
				s[at] = 1;
				assert_int_equal(fsi_intern_add(&t, s, len), want++);
			}
		}
	fsi_intern_release(&t);
}

/* Adds so many strings that some have equal 32-bit hashes, whatever the hash function. They differ in their first eight
 * bytes, in their last eight, or are short. */
static void intern_distinguishes_strings_of_equal_hash(void **state)
{
	static const struct {
		const char *front;
		int digits;
		const char *back;
	} shapes[] = { { "", 7, "" }, { "", 8, " at last" }, { "in front", 8, "" } };
	enum { COUNT = 500000 };
	uint64_t seed = 3;
	char s[32];

	(void)state;
	for (size_t shape = 0; shape < 3; shape++) {
		struct fsi_intern t = { 0 };

		for (uint32_t i = 0; i < COUNT; i++) {
			const unsigned n = (uint32_t)fst_random(&seed) >> 4;
			const size_t len = (size_t)snprintf(s, sizeof(s), "%s%0*x%s",
							    shapes[shape].front, shapes[shape].digits, n,
							    shapes[shape].back);
			const uint32_t id = fsi_intern_add(&t, s, len);

			assert_int_equal(fsi_intern_get_length(&t, id), len);
			assert_memory_equal(fsi_intern_get_string(&t, id), s, len);
		}
		fsi_intern_release(&t);
	}
}

static void intern_keeps_ids_and_strings_while_growing(void **state)
{
	enum { COUNT = 100000 };
	struct fsi_intern t = { 0 };
	const char **kept = calloc(COUNT, sizeof(*kept));
	char s[32];

	(void)state;
	assert_non_null(kept);
	for (uint32_t i = 0; i < COUNT; i++) {
		const int n = snprintf(s, sizeof(s), "name%u", i);

		assert_int_equal(fsi_intern_add(&t, s, (size_t)n), i + 1);
		kept[i] = fsi_intern_get_string(&t, i + 1);
		assert_int_equal((uintptr_t)kept[i] % 16, 0);
	}
	for (uint32_t i = 0; i < COUNT; i++) {
		const int n = snprintf(s, sizeof(s), "name%u", i);

		assert_int_equal(fsi_intern_find_id(&t, s, (size_t)n), i + 1);
		assert_ptr_equal(fsi_intern_get_string(&t, i + 1), kept[i]);
		assert_string_equal(kept[i], s);
	}
	assert_int_equal(fsi_intern_find_id(&t, "name100000", 10), 0);
	free(kept);
	fsi_intern_release(&t);
}

static void vec_grows_and_refuses_overflow(void **state)
{
	FSI_VEC(uint64_t) vec = { NULL, 0, 0 };
	size_t cap = SIZE_MAX / 2 + 1, same = cap;
	void *items = NULL;

	(void)state;
	for (uint64_t i = 0; i < 1000; i++) {
		assert_int_equal(FSI_VEC_RESERVE(&vec), 0);
		vec.v[vec.n++] = i * i;
	}
	for (uint64_t i = 0; i < 1000; i++)
		assert_int_equal(vec.v[i], i * i);
	FSI_VEC_FREE(&vec);
	assert_null(vec.v);
	assert_int_equal(fsi_vec_reserve(&items, &cap, cap, 8), -1);
	assert_null(items);
	assert_int_equal(cap, same);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arena_is_zeroed_and_aligned),
		cmocka_unit_test(arena_refuses_overflow),
		cmocka_unit_test(arena_copies_memory_and_strings),
		cmocka_unit_test(arena_keeps_filling_after_a_large_object),
		cmocka_unit_test(arena_is_zeroed_again_after_a_reset),
		cmocka_unit_test(intern_gives_equal_ids),
		cmocka_unit_test(intern_reserve_avoids_later_growth),
		cmocka_unit_test(intern_indexes_borrowed_strings),
		cmocka_unit_test(intern_takes_any_bytes),
		cmocka_unit_test(intern_distinguishes_every_byte),
		cmocka_unit_test(intern_distinguishes_strings_of_equal_hash),
		cmocka_unit_test(intern_keeps_ids_and_strings_while_growing),
		cmocka_unit_test(vec_grows_and_refuses_overflow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
