import { Button, Checkbox, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { WorkCard } from '../../lib/api/api-schema.generated.ts'
import { inSentence } from '../../lib/i18n/in-sentence.ts'
import { t } from '../../lib/i18n/t.ts'
import { useConfirm } from '../../ui/dialogs/confirm.tsx'
import { LinkText } from '../../ui/link-text.tsx'
import type { Sighting, TaskActions } from './use-task-actions.ts'
import './worklist.css'

const answers: { outcome: Sighting; label: string; means: string }[] = [
  { outcome: 'printed', label: t('It was printed'), means: t('Its units count as made.') },
  { outcome: 'failed', label: t('It failed'), means: t('The job counts as failed.') },
  {
    outcome: 'not_started',
    label: t('It did not start'),
    means: t('The job goes back into the queue and is printed again.'),
  },
]

/** What became of a plate that no one saw: only who looks at the printer can say. */
export function FateQuestion({ card, actions }: { card: WorkCard; actions: TaskActions }) {
  const confirm = useConfirm()
  const [notes, setNotes] = useState('')
  const [isPlateClear, setIsPlateClear] = useState(false)
  // What was seen printing did begin.
  const possible = answers.filter(({ outcome }) => outcome !== 'not_started' || card.job?.was_seen_printing !== true)
  const printer = card.printer?.name ?? t('the printer')
  const what = card.job?.product_name ?? card.job?.file_name ?? t('the print')

  async function answer({ outcome, label, means }: (typeof answers)[number]) {
    const isSure = await confirm({
      title: t('{what} on {printer}: {label}?', { what, printer, label: inSentence(label) }),
      body: `${means} ${isPlateClear ? t('The next job may start on the plate at once.') : t('The plate has to be cleared before anything starts there.')}`,
      confirmLabel: label,
      isDangerous: outcome !== 'printed',
    })
    if (isSure) await actions.resolve(card, outcome, { notes: notes.trim(), isPlateClear })
  }

  return (
    <Stack gap="sm" role="group" aria-label={t('What do you see on {printer}?', { printer })}>
      <Text fw={600}>{t('What do you see on {printer}?', { printer })}</Text>
      {card.printer && (
        <Text size="sm">
          <LinkText to="/printers/$printerId" params={{ printerId: card.printer.id }}>
            {t('{printer} with its camera', { printer })}
          </LinkText>
        </Text>
      )}
      <Checkbox
        size="md"
        label={t('The plate is empty now')}
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
        label={t('Anything worth knowing')}
        description={t('Kept with the answer; may stay empty')}
        maxLength={400}
        value={notes}
        onChange={({ currentTarget }) => setNotes(currentTarget.value)}
      />
    </Stack>
  )
}
