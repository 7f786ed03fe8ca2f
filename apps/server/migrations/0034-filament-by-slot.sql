-- A print takes from each spool once; one in several filaments takes from several.
drop index material_movements_print_key;
create unique index material_movements_print_key on material_movements (account_id, attempt_id, material_id)
  where attempt_id is not null;

-- A slot that the printer was seen to draw from, though it was told others.
alter table attempts
  add column other_slot integer;
