import type { AttemptOutcome, AttemptPhase, AttemptReport } from '@printyard/protocol/attempt'

/** Standing of an attempt. `unknown` is the only outcome that an unfinished attempt can have. */
export interface AttemptStanding {
  phase: AttemptPhase
  outcome: AttemptOutcome | null
}

const rank: Record<AttemptPhase, number> = { reserved: 0, transferring: 1, starting: 2, confirmed: 3, finished: 4 }

/** What a change of an attempt means for its job and its printer. */
export type AttemptEffect =
  | 'none'
  /** The printer was seen running our file: the job prints, the plate is no longer clear. */
  | 'print_confirmed'
  | 'plate_done'
  | 'print_failed'
  | 'print_cancelled'
  /** It is certain that nothing was started: the job may be queued again. */
  | 'back_to_queue'
  /** What was said never to have started was seen running: the job prints on it again, or it is a second copy. */
  | 'taken_back'
  /** The fate of a sent start is not known: the attempt keeps its printer until evidence or a person settles it. */
  | 'fate_unknown'

type AttemptChange =
  | { kind: 'ignored'; why: 'finished' | 'repeated' | 'out_of_order' | 'contradictory' }
  | { kind: 'changed'; to: AttemptStanding; effect: AttemptEffect }

/**
 * Answers what a report does to an attempt. Phases only go forward, so that repeated and late reports are harmless in any order.
 * `unknown` yields to any later evidence and never replaces any. A finished attempt never changes, but for one: that it never
 * began is a belief, which the sight of its own run takes back.
 */
export function applyReport(now: AttemptStanding, report: Pick<AttemptReport, 'phase' | 'outcome'>): AttemptChange {
  if (now.phase === 'finished') {
    const isSeenToRun = report.phase === 'confirmed' && report.outcome === null
    if (now.outcome !== 'not_started' || !isSeenToRun) return { kind: 'ignored', why: 'finished' }
    return { kind: 'changed', to: { phase: 'confirmed', outcome: null }, effect: 'taken_back' }
  }
  // The hub has let go of it without knowing its end. It may be good, so it has neither failed nor is it printed again by
  // itself: a person says.
  if (report.phase === 'finished' && report.outcome === 'unknown') {
    if (now.outcome === 'unknown') return { kind: 'ignored', why: 'repeated' }
    const phase = now.phase === 'confirmed' ? 'confirmed' : 'starting'
    return { kind: 'changed', to: { phase, outcome: 'unknown' }, effect: 'fate_unknown' }
  }
  if (!isConsistent(report)) return { kind: 'ignored', why: 'contradictory' }
  // What was seen running cannot turn out never to have started: queueing it again could print it twice.
  if (now.phase === 'confirmed' && report.outcome === 'not_started') return { kind: 'ignored', why: 'contradictory' }
  const isLater = rank[report.phase] > rank[now.phase]
  const isSamePhase = report.phase === now.phase
  if (!isLater && !isSamePhase) return { kind: 'ignored', why: 'out_of_order' }

  if (report.outcome === 'unknown') {
    if (now.outcome === 'unknown' && isSamePhase) return { kind: 'ignored', why: 'repeated' }
    return { kind: 'changed', to: { phase: report.phase, outcome: 'unknown' }, effect: 'fate_unknown' }
  }
  // The hub says "starting" both before it knows and never again after it gave up: it cannot take an unknown back.
  if (isSamePhase && (report.phase !== 'confirmed' || now.outcome !== 'unknown')) {
    return { kind: 'ignored', why: 'repeated' }
  }
  return { kind: 'changed', to: { phase: report.phase, outcome: report.outcome }, effect: effectOf(report) }
}

function isConsistent({ phase, outcome }: AttemptStanding): boolean {
  if (phase === 'finished') return outcome !== null && outcome !== 'unknown'
  if (outcome === 'unknown') return phase === 'starting' || phase === 'confirmed'
  return outcome === null
}

function effectOf({ phase, outcome }: AttemptStanding): AttemptEffect {
  if (phase === 'confirmed') return 'print_confirmed'
  switch (outcome) {
    case 'done':
      return 'plate_done'
    case 'failed':
      return 'print_failed'
    case 'cancelled':
      return 'print_cancelled'
    case 'not_started':
      return 'back_to_queue'
    default:
      return 'none'
  }
}

/**
 * True when something may lie on the plate after an attempt that ended so. Only an attempt that certainly never moved the
 * printer leaves the plate as it was.
 */
export function leavesPlateOccupied(phaseBefore: AttemptPhase, outcome: AttemptOutcome): boolean {
  if (outcome === 'not_started') return false
  if (outcome === 'cancelled') return phaseBefore === 'confirmed' || phaseBefore === 'starting'
  return true
}
