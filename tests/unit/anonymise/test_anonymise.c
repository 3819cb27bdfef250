/* anonymise/: the keyed hash, and the roles that decide how each text field of a snapshot is anonymised. */
#include "anonymise/anonymise.h"
#include "fstest.h"

#include "fs/anonymise.h"
#include "model/tables.h"

/* The first test vectors of the SipHash paper and of its reference program: key 00 to 0f, input 00, 01, ... */
static void the_keyed_hash_is_siphash(void **state)
{
	unsigned char key[16], in[15];

	(void)state;
	for (unsigned i = 0; i < 16; i++)
		key[i] = (unsigned char)i;
	for (unsigned i = 0; i < 15; i++)
		in[i] = (unsigned char)i;
	assert_true(fsi_anonymise_siphash(key, in, 15) == 0xa129ca6149be45e5u);
	assert_true(fsi_anonymise_siphash(key, in, 0) == 0x726fdb47dd0e0e31u);
	assert_true(fsi_anonymise_siphash(key, in, 8) == 0x93f5f5799a932462u);
}

/* A text field whose role no table defines is removed. Only the expected text fields may be removed. */
static void every_text_field_has_a_role(void **state)
{
	char left[512] = "";

	(void)state;
	for (int i = -1; i < FSI_RECORD_COUNT; i++) {
		const struct fsi_record_table *t =
			i < 0 ? fsi_header_table() : fsi_record_table((enum fsi_record_type)i);

		for (uint32_t k = 0; k < t->nfields; k++) {
			const struct fsi_field *f = &t->fields[k];

			if ((f->type == FSI_STR || f->type == FSI_LIST) && fsi_field_role(f) == FSI_ROLE_REMOVE)
				strcat(strcat(strcat(strcat(left, t->type), "."), f->key), " ");
			assert_true(strlen(left) < 400);
		}
	}
	assert_string_equal(left, "snapshot.incomplete node.reason job.comment job.wait_message grant.comment ");
}

/* A plan may depend on any parameter in this list, so anonymisation must not remove one. */
static void config_parameters_that_plans_use_are_kept(void **state)
{
	static const char *const names[] = { "BACKFILLMETRIC", "BACKFILLPOLICY", "JOBNODEMATCHPOLICY", "JOBPRIOACCRUALPOLICY",
					     "NODEACCESSPOLICY", "NODEALLOCATIONPOLICY", "NODESETPOLICY", "RESERVATIONPOLICY",
					     "RESERVATIONTHRESHOLDTYPE", "SchedulerParameters", "SelectTypeParameters",
					     "TopologyParam", "TopologyPlugin", "flux_scheduler", "fluxion_match_policy",
					     "fluxion_queue_policy" };

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		assert_true(fsi_anonymise_keeps_config(names[i]));
	assert_false(fsi_anonymise_keeps_config("PluginDir"));
}

static void every_credential_kind_has_a_role(void **state)
{
	(void)state;
	for (int k = 0; k < FS_CRED_KINDS; k++)
		assert_int_not_equal(fsi_anonymise_kind_role(fs_cred_kind_name((enum fs_cred_kind)k)), FSI_ROLE_REMOVE);
	assert_int_equal(fsi_anonymise_kind_role("sched"), FSI_ROLE_REMOVE);
}

/* With the same key, equal user ids get equal new ids; root's id 0 stays. */
static void uids_are_replaced_by_key_except_root(void **state)
{
	fs_snapshot *m = fst_snapshot(FST_HEAD REC("user", "'name':'root','uid':0") REC("user", "'name':'ann','uid':1001")
		REC("job", "'id':1,'state':'PENDING','user':'ann','uid':1001") REC("job", "'id':2,'state':'PENDING','user':'root','uid':0"));
	const char *const keys[] = { "0123456789abcdef", "fedcba9876543210" };
	uint32_t uid[2];

	(void)state;
	for (int k = 0; k < 2; k++) {
		const struct fs_anonymise_options o = { .key = keys[k], .key_size = 16 };
		fs_snapshot *other = NULL;
		struct fs_error err;

		fst_no_error(fs_snapshot_anonymise(&other, m, &o, &err), &err);
		assert_int_equal(other->user.n, 2);
		assert_int_equal(other->user.v[0].uid, 0);
		assert_int_equal(other->job.v[1].uid, 0);
		uid[k] = other->user.v[1].uid;
		assert_int_equal(other->job.v[0].uid, uid[k]);
		assert_int_not_equal(uid[k], 0);
		assert_int_not_equal(uid[k], 1001);
		fs_snapshot_free(other);
	}
	assert_int_not_equal(uid[0], uid[1]);
	fs_snapshot_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_keyed_hash_is_siphash),
		cmocka_unit_test(every_text_field_has_a_role),
		cmocka_unit_test(config_parameters_that_plans_use_are_kept),
		cmocka_unit_test(every_credential_kind_has_a_role),
		cmocka_unit_test(uids_are_replaced_by_key_except_root),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
