-- Automatic ejection: the bed temperature in °C at which a print is pushed off; null when the printer does not eject.
-- `ejection_gcode` is a person's own, else that of the model counts. After `ejection_check_after` ejections in a row a
-- person is asked to look, because no printer can see its own plate.
alter table printers
  add column ejection_cooldown_temp double precision check (ejection_cooldown_temp between 15 and 60),
  add column ejection_gcode text,
  add column ejection_check_after integer not null default 5 check (ejection_check_after between 1 and 100),
  add column ejections_in_row integer not null default 0,
  add constraint printers_ejection check (ejection_cooldown_temp is not null or ejection_gcode is null),
  drop constraint printers_plate_change_reason_check,
  add constraint printers_plate_change_reason_check
    check (plate_change_reason in
      ('new_printer', 'print_started', 'foreign_print', 'cleared_by_person', 'cleared_by_task', 'ejected',
       'ejection_check'));

-- Null: the printer does not eject. `ordered`: the hub was told to append the ejection. Else why it was not.
alter table attempts
  add column ejection text
    check (ejection in ('ordered', 'hub_too_old', 'format_not_supported', 'no_gcode_for_model', 'height_not_known',
                        'too_flat', 'too_tall'));
