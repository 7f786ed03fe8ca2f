import { Alert, Stack, Text } from '@mantine/core'
import type { Hub, ListedHub } from '../../lib/api/api-schema.generated.ts'
import { Rich } from '../../lib/i18n/rich.tsx'
import { serviceSentence } from '../../lib/i18n/service-sentence.ts'
import { t } from '../../lib/i18n/t.ts'
import { Icon } from '../../ui/icon.tsx'
import { Facts } from '../../ui/lists/facts.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { Time } from '../../ui/time.tsx'
import { presentHub } from './hub-state.ts'

/** What is wrong with a hub, each with its remedy; nothing when all is well. */
export function HubProblems({ hub, health }: { hub: Hub; health: ListedHub['health'] }) {
  const { sentence } = presentHub(hub)
  if (sentence === undefined && health.length === 0) return null
  return (
    <Stack gap="xs" mb="md">
      {sentence !== undefined && (
        <Alert color="yellow" variant="light" icon={<Icon name={hub.is_online ? 'warning' : 'away'} />}>
          {sentence}
        </Alert>
      )}
      {health.map(({ problem, message, remedy, since, blocks_starts }) => (
        <Alert
          key={problem}
          color="red"
          variant="light"
          icon={<Icon name="warning" />}
          title={serviceSentence(message)}
        >
          <Text size="sm">{serviceSentence(remedy)}</Text>
          <Text size="sm" c="dimmed">
            <Rich
              text="Since {time}.{blocks_starts}"
              values={{ time: <Time at={since} />, blocks_starts: blocks_starts && t(' No job is started meanwhile.') }}
            />
          </Text>
        </Alert>
      ))}
    </Stack>
  )
}

/** Version, machine and times of a hub. */
export function HubFacts({ hub }: { hub: Hub }) {
  return (
    <Panel title={t('The machine')}>
      <Facts
        facts={[
          [t('Version'), hub.firmware_version || t('not known yet')],
          [t('Runs on'), hub.hardware_version || t('not known yet')],
          [t('Last seen'), <Time key="seen" at={hub.last_seen_at} />],
          [t('Joined'), <Time key="joined" at={hub.claimed_at} as="clock" />],
          [t('Added'), <Time key="added" at={hub.created_at} as="clock" />],
        ]}
      />
    </Panel>
  )
}
