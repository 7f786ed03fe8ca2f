-- How the print that lies on a plate ended is part of what its state rests on.
alter table printers
  drop constraint printers_plate_change_reason_check,
  add constraint printers_plate_change_reason_check
    check (plate_change_reason in
      ('new_printer', 'print_started', 'print_done', 'print_failed', 'print_cancelled', 'foreign_print', 'unseen_time',
       'plate_changed', 'seen_not_started', 'service_restored', 'cleared_by_person', 'cleared_by_task', 'ejected',
       'ejection_check'));

-- Who ordered the stop of an attempt.
create index commands_by_attempt on commands (account_id, attempt_id) where attempt_id is not null;

-- When an attempt began and ended are times of its hub; the note says of which the service had to take its own clock, and why.
alter table attempts add column time_note text;
