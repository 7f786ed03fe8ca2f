-- How far the run of an attempt was seen, and when; kept in steps.
alter table attempts
  add column progress real,
  add column seen_at timestamptz;

-- Since when a printer does not answer while its hub is there.
alter table printers add column out_of_reach_since timestamptz;

alter table worklist_tasks
  drop constraint worklist_tasks_source_check,
  add constraint worklist_tasks_source_check
    check (source in ('person', 'plate', 'unknown_fate', 'printer_error', 'hub_silent', 'print_hours', 'assembly', 'health',
                      'out_of_reach', 'second_copy'));
