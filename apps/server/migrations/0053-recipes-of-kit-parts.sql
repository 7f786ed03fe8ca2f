-- A part of a kit that has a file can be printed by it: each of its SKUs has a recipe from now on, unless the file is not sliced, is
-- deleted, or is sliced for other filament.
insert into recipes (account_id, id, name, product_id, product_sku_id, print_file_id, units_per_plate, notes)
select s.account_id, 'rcp_' || substr(s.id, 5), f.name, s.product_id, s.id, f.id,
       least(100000, greatest(1, case when v.number_of_units > 1 then v.number_of_units else coalesce(v.object_count, 1) end)),
       ''
from kit_parts k
join skus s on s.account_id = k.account_id and s.kit_part_id = k.id and s.product_id = k.product_id
join print_files f on f.account_id = k.account_id and f.id = k.print_file_id and f.deleted_at is null
join print_file_versions v on v.account_id = f.account_id and v.print_file_id = f.id and v.is_current_version and v.is_sliced
where k.is_active and s.is_active
  and (
    btrim(s.filament_type) = '' or v.filament_type is null
    or lower(btrim(s.filament_type)) = any (
      select lower(btrim(type)) from unnest(string_to_array(v.filament_type, ';')) type
    )
  )
on conflict do nothing;
