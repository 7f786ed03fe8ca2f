import { Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { MqttBroker } from '../../../lib/api/api-schema.generated.ts'
import { Rich } from '../../../lib/i18n/rich.tsx'
import { serviceSentence } from '../../../lib/i18n/service-sentence.ts'
import { t } from '../../../lib/i18n/t.ts'
import { toastDone, toastFailed } from '../../../ui/dialogs/toast.tsx'
import { useActions } from '../../../ui/dialogs/use-actions.ts'
import { StatusBadge } from '../../../ui/lists/status-badge.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { Time } from '../../../ui/time.tsx'
import type { Tone } from '../../../ui/tone.ts'
import { BrokerDialog } from './broker-form.tsx'
import { useChangeBroker, useRemoveBroker, useTestBroker } from './mqtt.api.ts'

const states: Record<MqttBroker['status'], { tone: Tone; word: string }> = {
  off: { tone: 'waiting', word: t('Off') },
  connecting: { tone: 'waiting', word: t('Connecting') },
  connected: { tone: 'working', word: t('Connected') },
  failing: { tone: 'trouble', word: t('Down') },
}

/** The broker that is set up, and what can be done with it. */
export function BrokerPanel({ broker }: { broker: MqttBroker }) {
  const [isChanging, { open, close }] = useDisclosure(false)
  const { perform } = useActions('mqtt')
  const change = useChangeBroker()
  const test = useTestBroker()
  const remove = useRemoveBroker()
  const { tone, word } = states[broker.status]
  const ask = () =>
    test.mutate(undefined, {
      onSuccess: ({ ok, problem }) =>
        ok
          ? toastDone(t('The broker answers and accepts the credentials'))
          : toastFailed(
              t('The broker refuses the connection: {problem}', { problem: serviceSentence(problem ?? '') }),
              undefined,
            ),
      onError: (error) => toastFailed(t('The broker could not be tested'), error),
    })
  return (
    <Panel title={t('Broker')}>
      <Stack gap="sm">
        <Group gap="sm">
          <StatusBadge tone={tone}>{word}</StatusBadge>
          <Text>{broker.url}</Text>
        </Group>
        <BrokerTimes broker={broker} />
        <Group>
          <Button variant="default" onClick={ask} loading={test.isPending}>
            {t('Test the connection')}
          </Button>
          <Button variant="default" onClick={open}>
            {t('Change…')}
          </Button>
          <Button
            variant="default"
            onClick={() =>
              void perform({
                id: broker.url,
                call: () => change.mutateAsync({ is_active: !broker.is_active }),
                done: broker.is_active ? t('Publishing is switched off') : t('Publishing is switched on'),
                failed: t('Publishing could not be switched'),
              })
            }
          >
            {broker.is_active ? t('Switch off') : t('Switch on')}
          </Button>
          <Button
            variant="default"
            color="red"
            onClick={() =>
              void perform({
                id: broker.url,
                question: {
                  title: t('Remove the broker?'),
                  body: t(
                    'Its settings are erased, and smart plugs are not switched any more. The devices leave Home Assistant if the broker is connected now.',
                  ),
                  confirmLabel: t('Remove the broker'),
                  isDangerous: true,
                },
                call: () => remove.mutateAsync(undefined),
                done: t('The broker is removed'),
                failed: t('The broker could not be removed'),
              })
            }
          >
            {t('Remove…')}
          </Button>
        </Group>
      </Stack>
      {isChanging && <BrokerDialog broker={broker} onClose={close} />}
    </Panel>
  )
}

function BrokerTimes({ broker: { status, connected_since, failing_since, problem } }: { broker: MqttBroker }) {
  if (status === 'connected') {
    return (
      <Text size="sm" c="dimmed">
        <Rich text="since {time}" values={{ time: <Time at={connected_since} /> }} />
      </Text>
    )
  }
  if (problem === null) return null
  return (
    <Text size="sm" c="dimmed">
      {failing_since === null ? (
        serviceSentence(problem)
      ) : (
        <Rich
          text="since {time}: {problem}"
          values={{ time: <Time at={failing_since} as="clock" />, problem: serviceSentence(problem) }}
        />
      )}
    </Text>
  )
}
