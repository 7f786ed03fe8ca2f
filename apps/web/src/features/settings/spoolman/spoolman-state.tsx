import { Button, Group, Stack, Text } from '@mantine/core'
import type { SpoolmanConnection } from '../../../lib/api/api-schema.generated.ts'
import { Rich } from '../../../lib/i18n/rich.tsx'
import { serviceSentence } from '../../../lib/i18n/service-sentence.ts'
import { t } from '../../../lib/i18n/t.ts'
import { useActions } from '../../../ui/dialogs/use-actions.ts'
import { StatusBadge } from '../../../ui/lists/status-badge.tsx'
import { Time } from '../../../ui/time.tsx'
import type { Tone } from '../../../ui/tone.ts'
import { useChangeSpoolman, useDisconnectSpoolman, useReadSpoolman } from './spoolman.api.ts'

const states: Record<string, { tone: Tone; word: string }> = {
  active: { tone: 'working', word: t('Read every minute') },
  failing: { tone: 'trouble', word: t('Down') },
  paused: { tone: 'waiting', word: t('Paused') },
}

/** How the connection is, since when, and what can be done with it. */
export function SpoolmanFacts({ connection }: { connection: SpoolmanConnection }) {
  const { status, spools, unweighed_spools: unweighed, gone_spools: gone, waiting_usages: waiting } = connection
  const { tone, word } = states[status] ?? { tone: 'unknown' as const, word: status }
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <StatusBadge tone={tone}>{word}</StatusBadge>
        <Text size="sm" c="dimmed">
          {status === 'failing' ? (
            <Rich
              text="since {time}: {problem}"
              values={{
                time: <Time at={connection.failing_since} as="clock" />,
                problem: serviceSentence(connection.problem ?? ''),
              }}
            />
          ) : (
            <Rich text="last read {time}" values={{ time: <Time at={connection.last_read_at} /> }} />
          )}
        </Text>
      </Group>
      <Text size="sm">
        {t('{count, plural, one {# spool is} other {# spools are}} kept in both.', { count: spools })}
      </Text>
      {waiting > 0 && (
        <Text size="sm">
          {t('{count, plural, one {One usage waits} other {# usages wait}} to be told.', { count: waiting })}
        </Text>
      )}
      {unweighed > 0 && (
        <Text size="sm">
          {t(
            '{count, plural, one {# spool has} other {# spools have}} no weight in Spoolman, and cannot be taken over.',
            {
              count: unweighed,
            },
          )}
        </Text>
      )}
      {gone > 0 && (
        <Text size="sm">
          {t('{count, plural, one {# spool is} other {# spools are}} in Spoolman no more, and kept here alone.', {
            count: gone,
          })}
        </Text>
      )}
      <Actions isPaused={status === 'paused'} />
    </Stack>
  )
}

function Actions({ isPaused }: { isPaused: boolean }) {
  const { perform, busyId } = useActions()
  const change = useChangeSpoolman()
  const read = useReadSpoolman()
  const disconnect = useDisconnectSpoolman()
  const failed = t('The connection to Spoolman could not be changed')
  return (
    <Group>
      {!isPaused && (
        <Button
          variant="default"
          loading={busyId === 'read'}
          onClick={() =>
            void perform({
              id: 'read',
              call: () => read.mutateAsync(undefined),
              done: t('Spoolman is read now'),
              failed: t('Spoolman could not be read'),
            })
          }
        >
          {t('Read now')}
        </Button>
      )}
      <Button
        variant="default"
        loading={busyId === 'pause'}
        onClick={() =>
          void perform({
            id: 'pause',
            call: () => change.mutateAsync({ is_active: isPaused }),
            done: isPaused ? t('Spoolman is followed again') : t('Spoolman is paused'),
            failed,
          })
        }
      >
        {isPaused ? t('Resume') : t('Pause')}
      </Button>
      <Button
        variant="default"
        color="red"
        loading={busyId === 'disconnect'}
        onClick={() =>
          void perform({
            id: 'disconnect',
            question: {
              title: t('Disconnect Spoolman?'),
              body: t('The spools that came from there stay. Usage that was not sent to it yet is discarded.'),
              confirmLabel: t('Disconnect Spoolman'),
              isDangerous: true,
            },
            call: () => disconnect.mutateAsync(undefined),
            done: t('Spoolman is disconnected'),
            failed,
          })
        }
      >
        {t('Disconnect…')}
      </Button>
    </Group>
  )
}
