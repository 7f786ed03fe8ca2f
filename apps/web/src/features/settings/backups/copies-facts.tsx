import { Alert, Anchor, Code, Stack, Text } from '@mantine/core'
import type { Backups } from '../../../lib/api/api-schema.generated.ts'
import { Rich } from '../../../lib/i18n/rich.tsx'
import { t } from '../../../lib/i18n/t.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Time } from '../../../ui/time.tsx'

/** Where copies of the backups lie, the last one, and why the last try failed; how to have copies where there are none. */
export function CopiesFacts({ copies }: { copies: Backups['copies'] }) {
  if (copies === null) {
    return (
      <Text size="sm">
        <Rich
          text="Backups are not copied elsewhere. The operator names a bucket as <code>PRINTYARD_BACKUP_COPY_TO</code>: <link>how to set it up</link>."
          values={{
            code: (words) => <Code>{words}</Code>,
            link: (words) => (
              <Anchor href="/docs/operating/backups" underline="always">
                {words}
              </Anchor>
            ),
          }}
        />
      </Text>
    )
  }
  const { to, last_name: name, last_copied_at: copiedAt, failed_at: failedAt, error } = copies
  return (
    <Stack gap="xs">
      {error !== null && (
        <Alert color="red" variant="light" icon={<Icon name="warning" />} title={t('The last copy failed')}>
          <Rich text="{time}: {problem}" values={{ time: <Time at={failedAt} />, problem: error }} />
        </Alert>
      )}
      <Text size="sm">
        {copiedAt === null ? (
          <Rich text="Backups are copied to {place}. There is no copy yet." values={{ place: <Code>{to}</Code> }} />
        ) : (
          <Rich
            text="Backups are copied to {place}. The last copy there: {name}, {time}."
            values={{ place: <Code>{to}</Code>, name: <Code>{name}</Code>, time: <Time at={copiedAt} /> }}
          />
        )}
      </Text>
    </Stack>
  )
}
