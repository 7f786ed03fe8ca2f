-- An attempt holds its printer and its job until it is over. What it holds stands in the index itself, so that a look for the attempt of one
-- printer can take no other index: to statistics of a farm at rest, which know of no attempt under way, all partial indexes are alike.
drop index attempts_live_printer_key, attempts_live_job_key;
create unique index attempts_live_printer_key on attempts (account_id, (case when phase <> 'finished' then printer_id end))
  where case when phase <> 'finished' then printer_id end is not null;
create unique index attempts_live_job_key on attempts (account_id, (case when phase <> 'finished' then job_id end))
  where case when phase <> 'finished' then job_id end is not null;
-- A printer's row changes with each command and report. With room on its page no index has to learn of that.
alter table printers set (fillfactor = 70);
