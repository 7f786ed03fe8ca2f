import { Button, Divider, Group, NumberInput, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { WorkCard } from '../../lib/api/api-schema.generated.ts'
import { t } from '../../lib/i18n/t.ts'
import type { FailureType } from '../../lib/words/failure-words.ts'
import { useConfirm } from '../../ui/dialogs/confirm.tsx'
import { BadUnitsReason, badUnits } from '../../ui/forms/bad-units-reason.tsx'
import { Icon } from '../../ui/icon.tsx'
import { FateQuestion } from './fate-question.tsx'
import { asksForFate, farmText, finishOf } from './task-words.ts'
import { useTaskActions } from './use-task-actions.ts'

interface TaskActionsProps {
  card: WorkCard
  /** How many bad units there are, until the person says another number. */
  badUnits: number
  onDone: () => void
}

/** What a person does with one task. */
export function TaskActions({ card, badUnits: found, onDone }: TaskActionsProps) {
  const actions = useTaskActions()
  const confirm = useConfirm()
  const [rejected, setRejected] = useState(found)
  const [badType, setBadType] = useState<FailureType>()
  if (asksForFate(card)) return <FateQuestion card={card} actions={actions} />
  const finish = finishOf(card)
  const closeAfter = async (action: Promise<boolean>) => {
    if (await action) onDone()
  }
  async function callOff() {
    const isSure = await confirm({
      title: t('Call off “{title}”?', { title: farmText(card, card.title) }),
      body: t('It stays on record as called off, and can be taken up again.'),
      confirmLabel: t('Call off'),
      cancelLabel: t('Keep it'),
      isDangerous: true,
    })
    if (isSure) await closeAfter(actions.callOff(card))
  }
  return (
    <Stack gap="xs">
      <Divider />
      {finish.takesRejects && (
        <NumberInput
          label={t('Bad units')}
          description={t('They leave the stock again; the account decides whether they are reprinted')}
          min={0}
          max={100_000}
          allowDecimal={false}
          value={rejected}
          onChange={(value) => setRejected(typeof value === 'number' ? value : 0)}
        />
      )}
      {card.source === 'plate' && rejected > 0 && <BadUnitsReason value={badType} onChange={setBadType} />}
      {finish.effect !== undefined && (
        <Text size="sm" c="dimmed">
          {finish.effect}
        </Text>
      )}
      {(card.status === 'cancelled' || (card.status === 'pending' && card.source !== 'plate')) && (
        <Button
          size="md"
          variant="default"
          loading={actions.busy === 'begin'}
          onClick={() => void actions.begin([card])}
        >
          {card.status === 'cancelled' ? t('Take it up again') : t('Begin')}
        </Button>
      )}
      {card.status !== 'cancelled' && (
        <Button
          size="md"
          leftSection={<Icon name="check" size={18} />}
          loading={actions.busy === 'finish'}
          onClick={() =>
            void closeAfter(actions.finish([card], badUnits(rejected, card.source === 'plate' ? badType : undefined)))
          }
        >
          {finish.label}
          {rejected > 0 && t(', {rejected} bad', { rejected })}
        </Button>
      )}
      <Group gap="xs" grow>
        {card.status === 'in_progress' && (
          <Button variant="subtle" loading={actions.busy === 'put back'} onClick={() => void actions.putBack([card])}>
            {t('Put back')}
          </Button>
        )}
        {card.status !== 'cancelled' && (
          <Button variant="subtle" color="red" loading={actions.busy === 'call off'} onClick={() => void callOff()}>
            {t('Call off')}
          </Button>
        )}
      </Group>
    </Stack>
  )
}
