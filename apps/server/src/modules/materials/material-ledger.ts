import { type AssemblyTaskId, type AttemptId, type JobId, newId, type ShipmentId } from '../../kernel/ids.ts'
import type { Work } from '../events/work.ts'
import { fromStored, kindWords } from './material-kinds.ts'
import { materialStatus } from './material-status.ts'
import { insertMovement, type MaterialRow, type MovementRow, updateMaterial } from './materials.queries.ts'
import { queueUsage } from './spoolman/state/queue-usage.ts'

interface MaterialMovement {
  reason: MovementRow['reason']
  /** Milligrams or pieces added, or taken off when negative. */
  change: number
  /** What was used beyond what is there. */
  shortage?: number
  jobId?: JobId
  attemptId?: AttemptId
  assemblyTaskId?: AssemblyTaskId
  shipmentId?: ShipmentId
  /** Time when it happened, where that was before it became known. */
  happenedAt?: Date | null
  notes?: string
}

/**
 * The only way in which a remaining quantity changes: a movement, and the quantity with its status, together. `material`
 * must be locked in this transaction. The sum of its movements always equals what remains.
 */
export async function moveMaterial(
  work: Work,
  material: MaterialRow,
  movement: MaterialMovement,
): Promise<MaterialRow> {
  const remaining = material.remaining + movement.change
  await insertMovement(work, {
    id: newId('materialMovement'),
    material_id: material.id,
    reason: movement.reason,
    change: movement.change,
    quantity_before: material.remaining,
    quantity_after: remaining,
    shortage: movement.shortage ?? 0,
    job_id: movement.jobId ?? null,
    attempt_id: movement.attemptId ?? null,
    assembly_task_id: movement.assemblyTaskId ?? null,
    shipment_id: movement.shipmentId ?? null,
    happened_at: movement.happenedAt ?? null,
    notes: movement.notes ?? '',
  })
  const used = (movement.shortage ?? 0) - movement.change
  if (isUse(material, movement) && used > 0) await queueUsage(work, material.id, used)
  const status = materialStatus({ remaining, low_threshold: material.low_threshold })
  const after = await updateMaterial(work, material.id, { remaining, status })
  const shown = (stored: number) => fromStored(material.kind, stored)
  await work.record({
    type: `material.${movement.reason}`,
    subjectId: material.id,
    data: {
      kind: material.kind,
      change: shown(movement.change),
      [kindWords[material.kind].remainingField]: shown(remaining),
      ...(movement.shortage && { shortage: shown(movement.shortage) }),
    },
  })
  // Said once, when it becomes so: a spool that stays low would otherwise alert with every print.
  if (status !== material.status && status !== 'in_stock') {
    await work.record({
      type: 'material.low',
      subjectId: material.id,
      data: { kind: material.kind, status, [kindWords[material.kind].remainingField]: shown(remaining) },
    })
  }
  return after
}

/** What was weighed or added is nothing that was used. */
function isUse({ kind }: MaterialRow, { reason }: MaterialMovement): boolean {
  return kind === 'filament' && (reason === 'printed' || reason === 'consumed')
}
