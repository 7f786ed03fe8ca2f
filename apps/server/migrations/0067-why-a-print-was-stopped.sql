-- What a person says went wrong when they stop a print; the record of the failure takes it over once the stop is seen.
alter table attempts add column stop_type text
  check (stop_type in ('adhesion', 'spaghetti', 'layer_shift', 'clog', 'filament_runout', 'thermal', 'power_loss',
                       'mechanical', 'connection', 'file', 'cancelled_by_person', 'other', 'unknown'));
