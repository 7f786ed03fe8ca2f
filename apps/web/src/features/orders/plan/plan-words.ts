import type { PlanGroup, PlanLine } from '../../../lib/api/api-schema.generated.ts'
import { formatCount } from '../../../lib/format.ts'
import type { Tone } from '../../../ui/tone.ts'

const states: Record<PlanGroup['state'], { tone: Tone; word: string }> = {
  shipped: { tone: 'done', word: 'shipped' },
  picked: { tone: 'done', word: 'picked' },
  reserved: { tone: 'done', word: 'reserved' },
  to_assemble: { tone: 'working', word: 'to put together' },
  on_live_job: { tone: 'working', word: 'on jobs' },
  to_print: { tone: 'waiting', word: 'to print' },
  blocked: { tone: 'trouble', word: 'blocked' },
  cancelled: { tone: 'resting', word: 'cancelled' },
}

/** Units that are still to leave. */
export const openUnits = ({ units, shipped, cancelled }: Pick<PlanLine, 'units' | 'shipped' | 'cancelled'>) =>
  units - shipped - cancelled

/** Units that are equally far: `3 to print`. */
export function presentGroup({ state, units }: Pick<PlanGroup, 'state' | 'units'>): { tone: Tone; word: string } {
  const { tone, word } = states[state]
  return { tone, word: `${formatCount(units)} ${word}` }
}
