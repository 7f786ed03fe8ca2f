-- The commands of a job are those of its attempts, and name it because the statement that writes them has just claimed it.
alter table commands drop constraint commands_account_id_job_id_fkey;
drop index commands_by_job;
