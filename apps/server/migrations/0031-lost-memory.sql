-- The last reports of attempts that were stored for each hub, by the IDs of their messages, the newest at the end: a hub
-- whose journal does not know the newest has lost what came after. Empty while the hub does not say what it knows.
alter table hubs
  add column newest_reports text[] not null default '{}';

-- When a hub last knew of newer orders than the database, which happens after a restore.
alter table printers
  add column fence_raised_at timestamptz;

-- One more reason why a plate is not known: `service_restored`.
alter table printers
  drop constraint printers_plate_change_reason_check,
  add constraint printers_plate_change_reason_check
    check (plate_change_reason in
      ('new_printer', 'print_started', 'foreign_print', 'unseen_time', 'plate_changed', 'seen_not_started', 'service_restored',
       'cleared_by_person', 'cleared_by_task', 'ejected', 'ejection_check'));
