import type { PrintRequest } from '../../../features/jobs/dialogs/print-dialog.tsx'
import type { PrintFile } from '../../../lib/api/api-schema.generated.ts'

/** One plate of a file, as the slicer meant it. */
export function printRequestOf({ id, name, number_of_units, filament_type }: PrintFile): PrintRequest {
  // Of several filaments the service takes what the file says.
  const isOne = filament_type !== null && !filament_type.includes(';')
  return { file: { id, name }, perPlate: number_of_units, ...(isOne && { filamentType: filament_type }) }
}
