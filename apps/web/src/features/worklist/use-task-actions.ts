import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { asApiError } from '../../lib/api/api-error.ts'
import type { WorkCard } from '../../lib/api/api-schema.generated.ts'
import { t } from '../../lib/i18n/t.ts'
import { toastDone, toastFailed } from '../../ui/dialogs/toast.tsx'
import type { badUnits } from '../../ui/forms/bad-units-reason.tsx'
import { farmText, finishOf, type TaskStatus } from './task-words.ts'
import { assignTask, moveTask, resolveFate } from './worklist.api.ts'

export type Sighting = 'printed' | 'failed' | 'not_started'

const sightingsSaid: Record<Sighting, string> = {
  printed: t('Noted: it was printed'),
  failed: t('Noted: it failed'),
  not_started: t('Noted: it never began, and is queued again'),
}

/** What can be done with one task or with several of one errand. Each tells its result, and answers whether it succeeded. */
export function useTaskActions() {
  const queryClient = useQueryClient()
  const [busy, setBusy] = useState<string>()

  async function run(name: string, action: () => Promise<unknown>, said: string | undefined, failed: string) {
    setBusy(name)
    try {
      await action()
      if (said !== undefined) toastDone(said)
      return true
    } catch (error) {
      // A person else was faster: what was wanted has happened.
      if (asApiError(error).code === 'TASK_ALREADY_COMPLETED') toastDone(t('This was done already'))
      else toastFailed(failed, error)
      return false
    } finally {
      await queryClient.invalidateQueries({ queryKey: ['worklist'] })
      setBusy(undefined)
    }
  }

  /** One after the other, so that what fails says which it was. */
  async function moveAll(cards: readonly WorkCard[], status: TaskStatus, bad: ReturnType<typeof badUnits> = {}) {
    for (const { id } of cards) await moveTask(id, { status, ...bad })
  }

  return {
    /** Which action is under way: `begin`, `finish`, `put back`, `call off`, `assign`, or a sighting. */
    busy,
    begin: (cards: readonly WorkCard[]) =>
      run('begin', () => moveAll(cards, 'in_progress'), undefined, t('The task could not be started')),
    finish(cards: readonly WorkCard[], bad?: ReturnType<typeof badUnits>) {
      const [first] = cards
      if (!first) return Promise.resolve(false)
      const said =
        cards.length === 1
          ? finishOf(first).said
          : t('Done: {title} at {cards} printers', { title: farmText(first, first.title), cards: cards.length })
      return run('finish', () => moveAll(cards, 'completed', bad), said, t('The task could not be finished'))
    },
    putBack: (cards: readonly WorkCard[]) =>
      run('put back', () => moveAll(cards, 'pending'), undefined, t('The task could not be put back')),
    callOff: (card: WorkCard) =>
      run(
        'call off',
        () => moveAll([card], 'cancelled'),
        t('The task is called off'),
        t('The task could not be called off'),
      ),
    assign: (card: WorkCard, userId: string | null) =>
      run('assign', () => assignTask(card.id, userId), undefined, t('The task could not be reassigned')),
    async resolve(card: WorkCard, outcome: Sighting, seen: { notes: string; isPlateClear: boolean }) {
      const jobId = card.job?.id
      if (jobId === undefined) return false
      const { notes, isPlateClear } = seen
      const body = { outcome, ...(notes !== '' && { notes }), ...(isPlateClear && { plate_is_clear: true }) }
      return run(outcome, () => resolveFate(jobId, body), sightingsSaid[outcome], t('The answer could not be noted'))
    },
  }
}

export type TaskActions = ReturnType<typeof useTaskActions>
