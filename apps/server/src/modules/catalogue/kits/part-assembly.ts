import type { Sql } from '../../../db/database.ts'

/** Answers whether printed units of the SKU `s` of the product `p` go to assembly first: a part of a kit says so itself, not by the kit. */
export const goesToAssembly = (sql: Sql) => sql`
  coalesce((
    select part.requires_assembly from kit_parts part where part.account_id = s.account_id and part.id = s.kit_part_id
  ), p.requires_assembly)`
