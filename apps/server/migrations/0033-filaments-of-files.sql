-- The filaments that the plate of a version uses, each once: [{index, type, color, preset_id, grams}], null where the file does not say.
-- Matching reads them for every queued job; the whole of `metadata` would be too much for that.
alter table print_file_versions
  add column filaments jsonb not null default '[]';

update print_file_versions v set filaments = coalesce(
  (
    select jsonb_agg(
      jsonb_build_object(
        'index', f -> 'index', 'type', f -> 'type', 'color', f -> 'color', 'preset_id', f -> 'presetId', 'grams', f -> 'weightG'
      )
      order by (f ->> 'index')::integer
    )
    from jsonb_array_elements(
      case when v.archive_plate is null then v.metadata -> 'filaments' else (
        select p -> 'filaments' from jsonb_array_elements(v.metadata -> 'plates') p
        where (p ->> 'index')::integer = v.archive_plate limit 1
      ) end
    ) f
  ),
  '[]'
)
where v.is_sliced;

-- What the printer was told with the start: [{filament, slot}]; null when it was told nothing.
alter table attempts
  add column filament_map jsonb;

-- What the plate of a version covers in X and Y, as its slicer outlines the objects; null where it does not, and for files from before.
alter table print_file_versions
  add column width_mm double precision,
  add column depth_mm double precision;
