import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { WorkCard } from '../../lib/api/api-routes.ts'
import { useConfirm } from '../../ui/confirm.tsx'
import type { Sighting, TaskActions } from './use-task-actions.ts'
import './worklist.css'

const answers: { outcome: Sighting; label: string; means: string }[] = [
  { outcome: 'printed', label: 'It was printed', means: 'Its units count as made. The plate has to be cleared.' },
  { outcome: 'failed', label: 'It failed', means: 'The job counts as failed. The plate has to be cleared.' },
  { outcome: 'not_started', label: 'It never began', means: 'The job goes back into the queue and is printed anew.' },
]

/** What became of a plate that nobody saw: only who looks at the printer can say. */
export function FateQuestion({ card, actions }: { card: WorkCard; actions: TaskActions }) {
  const confirm = useConfirm()
  const [notes, setNotes] = useState('')
  const printer = card.printer?.name ?? 'the printer'
  const what = card.job?.product_name ?? card.job?.file_name ?? 'the print'

  async function answer({ outcome, label, means }: (typeof answers)[number]) {
    const isSure = await confirm({
      title: `${what} on ${printer}: ${label.toLowerCase()}?`,
      body: means,
      confirmLabel: label,
      isDangerous: outcome !== 'printed',
    })
    if (isSure) await actions.resolve(card, outcome, notes.trim())
  }

  return (
    <Stack gap="sm" role="group" aria-label={`What do you see on ${printer}?`}>
      <Text fw={600}>What do you see on {printer}?</Text>
      {answers.map((each) => (
        <Button
          key={each.outcome}
          size="lg"
          variant="default"
          className="task-button"
          loading={actions.busy === each.outcome}
          disabled={actions.busy !== undefined && actions.busy !== each.outcome}
          onClick={() => void answer(each)}
        >
          {each.label}
        </Button>
      ))}
      <TextInput
        label="Anything worth knowing"
        description="Kept with the answer; may stay empty"
        maxLength={400}
        value={notes}
        onChange={({ currentTarget }) => setNotes(currentTarget.value)}
      />
    </Stack>
  )
}
