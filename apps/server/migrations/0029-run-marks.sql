-- `run_mark` stands for everything that was printed on a printer, as its hub last said reliably; `plate_run_mark` is the one that
-- its plate was cleared with. Null: none was told yet; the first one of an idle printer is taken for that of a clear plate.
-- `plate_unknown_reason` says to people why a plate is unknown.
alter table printers
  add column run_mark text,
  add column plate_run_mark text,
  add column plate_unknown_reason text,
  drop constraint printers_plate_change_reason_check,
  add constraint printers_plate_change_reason_check
    check (plate_change_reason in
      ('new_printer', 'print_started', 'foreign_print', 'unseen_time', 'plate_changed', 'seen_not_started',
       'cleared_by_person', 'cleared_by_task', 'ejected', 'ejection_check'));
