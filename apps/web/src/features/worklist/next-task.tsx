import { Button, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import type { WorkCard } from '../../lib/api/api-schema.generated.ts'
import { t } from '../../lib/i18n/t.ts'
import { useMay } from '../../lib/session.ts'
import { Icon } from '../../ui/icon.tsx'
import { StatusBadge } from '../../ui/lists/status-badge.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { FateQuestion } from './fate-question.tsx'
import { asksForFate, farmText, finishOf, kindOf } from './task-words.ts'
import { useTaskActions } from './use-task-actions.ts'
import './next-task.css'
import './worklist.css'

interface NextTaskProps {
  card: WorkCard
  /** Told when it was done here. */
  onDone: (card: WorkCard) => void
  onOpen: (taskId: string) => void
}

/** What is to be done where a person stands, and the one button that says it is done. */
export function NextTask({ card, onDone, onOpen }: NextTaskProps) {
  const mayAct = useMay('write')
  const actions = useTaskActions()
  const finish = finishOf(card)
  return (
    <div className="next-task">
      <Panel>
        <Stack gap="xs">
          <div>
            <StatusBadge tone="resting" icon={kindOf(card).icon}>
              {kindOf(card).word}
            </StatusBadge>
          </div>
          <Title order={2}>{farmText(card, card.title)}</Title>
          {card.description !== '' && <Text className="task-notes">{farmText(card, card.description)}</Text>}
          {mayAct && asksForFate(card) && <FateQuestion card={card} actions={actions} />}
          {mayAct && !asksForFate(card) && (
            <>
              <Button
                size="xl"
                className="task-button"
                leftSection={<Icon name="check" size={26} />}
                loading={actions.busy === 'finish'}
                onClick={async () => {
                  if (await actions.finish([card])) onDone(card)
                }}
              >
                {finish.label}
              </Button>
              {finish.effect !== undefined && (
                <Text size="sm" c="dimmed">
                  {finish.effect}
                </Text>
              )}
            </>
          )}
          <Button variant="subtle" onClick={() => onOpen(card.id)}>
            {finish.takesRejects && mayAct ? t('Bad units, or more about it') : t('More about it')}
          </Button>
        </Stack>
      </Panel>
    </div>
  )
}

/** Remembers what was done on this page, so that it can say so after the task has gone from the list. */
export function useDoneHere() {
  const [done, setDone] = useState<WorkCard>()
  return { done, said: done && finishOf(done).said, note: setDone }
}
