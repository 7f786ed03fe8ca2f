import type { Sql } from '../../../db/database.ts'

/** The part of an update of the job `j` that gives it the values of the option `o`; a job without an option keeps its own. */
export const optionValues = (sql: Sql) => sql`
      option_position = case when o.job_id is null then j.option_position else o.position end,
      recipe_id = case when o.job_id is null then j.recipe_id else o.recipe_id end,
      print_file_id = coalesce(o.print_file_id, j.print_file_id),
      file_version_id = coalesce(o.file_version_id, j.file_version_id),
      file_name = coalesce(o.file_name, j.file_name),
      color = coalesce(o.color, j.color),
      filament_type = coalesce(o.filament_type, j.filament_type),
      material_type = coalesce(o.material_type, j.material_type),
      any_color = coalesce(o.any_color, j.any_color),
      quantity_per_print = coalesce(o.quantity_per_print, j.quantity_per_print),
      plates_total = coalesce(o.plates_total, j.plates_total),
      estimated_print_time_minutes =
        case when o.job_id is null then j.estimated_print_time_minutes else o.estimated_print_time_minutes end,
      filament_needed_grams = case when o.job_id is null then j.filament_needed_grams else o.filament_needed_grams end`
