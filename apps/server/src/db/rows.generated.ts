// Printed from the migrated database by generate-row-types.ts; do not edit.

/** A row of `accounts`. */
export type AccountRow = {
  id: string
  name: string
  time_zone: string
  created_at: Date
  updated_at: Date
}
