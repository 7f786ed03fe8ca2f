import type { Candidate } from '@printyard/protocol/messages'

/** A farm without hardware still looks like a farm. */
const models = ['MK4S', 'P1S', 'A1 mini', 'Voron 2.4', 'K1 Max', 'CORE One', 'X1C', 'Centauri Carbon']

/** Printers that this hub can simulate, as candidates for adoption. */
export function simulatedCandidates(count: number): Candidate[] {
  return Array.from({ length: count }, (_, index) => {
    const number = index + 1
    const model = models[index % models.length] ?? null
    return {
      connection_type: 'virtual',
      name: `${model} ${String(number).padStart(2, '0')}`,
      model,
      address: null,
      serial: `VIRTUAL-${String(number).padStart(4, '0')}`,
      evidence: 'simulated',
    }
  })
}
