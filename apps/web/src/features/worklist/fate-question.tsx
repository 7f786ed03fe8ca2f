import { Button, Checkbox, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { WorkCard } from '../../lib/api/api-schema.generated.ts'
import { useConfirm } from '../../ui/dialogs/confirm.tsx'
import { LinkText } from '../../ui/link-text.tsx'
import type { Sighting, TaskActions } from './use-task-actions.ts'
import './worklist.css'

const answers: { outcome: Sighting; label: string; means: string }[] = [
  { outcome: 'printed', label: 'It was printed', means: 'Its units count as made.' },
  { outcome: 'failed', label: 'It failed', means: 'The job counts as failed.' },
  {
    outcome: 'not_started',
    label: 'It did not start',
    means: 'The job goes back into the queue and is printed again.',
  },
]

/** What became of a plate that no one saw: only who looks at the printer can say. */
export function FateQuestion({ card, actions }: { card: WorkCard; actions: TaskActions }) {
  const confirm = useConfirm()
  const [notes, setNotes] = useState('')
  const [isPlateClear, setIsPlateClear] = useState(false)
  // What was seen printing did begin.
  const possible = answers.filter(({ outcome }) => outcome !== 'not_started' || card.job?.was_seen_printing !== true)
  const printer = card.printer?.name ?? 'the printer'
  const what = card.job?.product_name ?? card.job?.file_name ?? 'the print'

  async function answer({ outcome, label, means }: (typeof answers)[number]) {
    const isSure = await confirm({
      title: `${what} on ${printer}: ${label.toLowerCase()}?`,
      body: `${means} ${isPlateClear ? 'The next job may start on the plate at once.' : 'The plate has to be cleared before anything starts there.'}`,
      confirmLabel: label,
      isDangerous: outcome !== 'printed',
    })
    if (isSure) await actions.resolve(card, outcome, { notes: notes.trim(), isPlateClear })
  }

  return (
    <Stack gap="sm" role="group" aria-label={`What do you see on ${printer}?`}>
      <Text fw={600}>What do you see on {printer}?</Text>
      {card.printer && (
        <Text size="sm">
          <LinkText to="/printers/$printerId" params={{ printerId: card.printer.id }}>
            {printer} with its camera
          </LinkText>
        </Text>
      )}
      <Checkbox
        size="md"
        label="The plate is empty now"
        checked={isPlateClear}
        onChange={({ currentTarget }) => setIsPlateClear(currentTarget.checked)}
      />
      {possible.map((each) => (
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
