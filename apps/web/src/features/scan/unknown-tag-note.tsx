import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { t } from '../../lib/i18n/t.ts'
import { Icon } from '../../ui/icon.tsx'
import type { UnknownTag } from './scan.api.ts'

interface UnknownTagNoteProps {
  tag: UnknownTag
  /** Whether who is signed in may put it on a spool, and add one. */
  mayPut: boolean
  onAddSpool: () => void
  onForget: () => void
}

/** A tag that is on no spool yet, and how it comes on one: by the label of the spool, which is scanned next, or with a new spool. */
export function UnknownTagNote({ tag: { says, isOneOfAKind }, mayPut, onAddSpool, onForget }: UnknownTagNoteProps) {
  const words = says === null ? [] : [says.brand, says.type, says.color].filter((each) => each !== null)
  return (
    <Alert icon={<Icon name="spool" />} title={t('No spool has this tag')} color="gray" role="status">
      <Stack gap="xs" align="flex-start">
        {words.length > 0 && <Text size="sm">{t('It says: {words}', { words: words.join(', ') })}</Text>}
        {mayPut && isOneOfAKind && (
          <Text size="sm">{t('Scan the label of its spool next, and the tag is put on it. Or add its spool.')}</Text>
        )}
        {!isOneOfAKind && (
          <Text size="sm">
            {t('It has no number of its own, so a scan cannot tell two spools of the same kind apart.')}
          </Text>
        )}
        <Group gap="xs">
          {mayPut && (
            <Button size="compact-sm" onClick={onAddSpool}>
              {says === null ? t('Add a spool with this tag') : t('Add the spool as the tag says')}
            </Button>
          )}
          <Button size="compact-sm" variant="default" onClick={onForget}>
            {t('Forget the tag')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}
