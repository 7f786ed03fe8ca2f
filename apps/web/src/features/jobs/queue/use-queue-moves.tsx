import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../lib/api/api.ts'
import type { QueuedJob } from '../../../lib/api/api-schema.generated.ts'
import { Rich } from '../../../lib/i18n/rich.tsx'
import { t } from '../../../lib/i18n/t.ts'
import { useConfirm } from '../../../ui/dialogs/confirm.tsx'
import { toastFailed, toastUndo } from '../../../ui/dialogs/toast.tsx'
import { Time } from '../../../ui/time.tsx'
import { priorityWord } from '../job-priority.tsx'
import { showOrder } from '../jobs.api.ts'
import { type Move, moveTo, wayBack } from './queue-move.ts'

/** Changes of the order of the queue; `said` tells the last one to who cannot see it. */
export function useQueueMoves(jobs: readonly QueuedJob[]) {
  const confirm = useConfirm()
  const queryClient = useQueryClient()
  const [said, setSaid] = useState('')

  async function move(job: QueuedJob, place: number): Promise<void> {
    const found = moveTo(jobs, job.id, place)
    if (!found) return
    const name = job.product_name ?? job.file_name
    if (Object.keys(found.takesOn).length > 0 && !(await confirm(questionOf(name, found.takesOn)))) return
    // A read that is on its way would show the old order again.
    await queryClient.cancelQueries({ queryKey: ['jobs', 'queue', 'waiting'] })
    const takeBack = showOrder(queryClient, found.order)
    try {
      await api.call('PATCH /jobs/{id}', { params: { id: job.id }, body: found.changes })
      setSaid(
        t('{name} is now number {place} of {count}', {
          name,
          place: found.order.indexOf(job.id) + 1,
          count: found.order.length,
        }),
      )
      toastUndo(t('{name} is moved', { name }), () => void moveBack(job, name))
    } catch (error) {
      takeBack()
      toastFailed(t('{name} could not be moved', { name }), error)
    }
    void queryClient.invalidateQueries({ queryKey: ['jobs', 'queue'] })
  }

  /** To the place from which it was moved: beside what it stood beside, with the priority and due date that it had. */
  async function moveBack(job: QueuedJob, name: string): Promise<void> {
    try {
      await api.call('PATCH /jobs/{id}', { params: { id: job.id }, body: wayBack(jobs, job) })
      setSaid(t('{name} is back at its former place', { name }))
    } catch (error) {
      toastFailed(t('{name} could not be moved back', { name }), error)
    }
    void queryClient.invalidateQueries({ queryKey: ['jobs', 'queue'] })
  }

  return { move, said }
}

function questionOf(name: string, takesOn: Move['takesOn']) {
  const { priority, due_date } = takesOn
  return {
    title: t('Change the priority and due date of {name}?', { name }),
    body: (
      <>
        {t('Priority and due date go before the order by hand. To stand there, {name} takes on', { name })}
        {priority !== undefined && <>{t(' the priority “{priorityWord}”', { priorityWord: priorityWord(priority) })}</>}
        {priority !== undefined && due_date !== undefined && t(' and')}
        {due_date === null && <>{t(' having no due date')}</>}
        {typeof due_date === 'string' && (
          <Rich text=" the due date {time}" values={{ time: <Time at={due_date} as="clock" /> }} />
        )}
        .
      </>
    ),
    confirmLabel: t('Move it there'),
  }
}
