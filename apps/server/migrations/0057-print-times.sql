-- What prints took, by their file and by their farm: the latest of those that were done.
create index attempts_done_by_file on attempts (account_id, file_version_id, finished_at desc) where outcome = 'done';
create index attempts_done on attempts (account_id, finished_at desc) where outcome = 'done';
