import type { OrderProgressRow } from '../../../db/rows.generated.ts'
import type { OrderUnits } from './order-units.queries.ts'

/**
 * Answers how far an order is by where its units are. One of which a part has left is in process until the rest has. A person's word stands
 * until this changes.
 */
export function progressOf(units: Omit<OrderUnits, 'order_id' | 'status' | 'told'>): OrderProgressRow['status'] {
  const { fulfilled, reserved, to_assemble: toAssemble, on_live_job: onJobs } = units
  const isMissing = units.to_print + units.blocked > 0
  if (fulfilled > 0) return 'processing'
  if (!isMissing && onJobs === 0 && reserved + toAssemble > 0) {
    return toAssemble === 0 && units.is_assembled ? 'assembled' : 'printed'
  }
  return reserved + toAssemble + onJobs > 0 ? 'processing' : 'pending'
}
