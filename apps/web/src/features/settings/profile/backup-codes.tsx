import { Alert, Button, Code, Group, SimpleGrid, Text } from '@mantine/core'
import { t } from '../../../lib/i18n/t.ts'
import { CopyButton } from '../../../ui/codes/copy-button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import '../../../ui/codes/secret.css'

interface BackupCodesProps {
  codes: readonly string[]
  onDone: () => void
}

/** Codes in place of the app, shown once. */
export function BackupCodes({ codes, onDone }: BackupCodesProps) {
  const text = `${codes.join('\n')}\n`
  return (
    <Alert
      color="yellow"
      variant="light"
      className="secret"
      title={t('Backup codes: shown only now')}
      icon={<Icon name="key" />}
    >
      <Text size="sm">
        {t('Each works once in place of a code of the app. Keep them where you find them without it.')}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={4} my="sm" component="ul" className="plain-list">
        {codes.map((code) => (
          <li key={code}>
            <Code>{code}</Code>
          </li>
        ))}
      </SimpleGrid>
      <Group gap="xs">
        <CopyButton value={text}>{t('Copy all')}</CopyButton>
        <Button
          component="a"
          variant="default"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download="printyard-backup-codes.txt"
          leftSection={<Icon name="download" size={14} />}
        >
          {t('Download')}
        </Button>
        <Button onClick={onDone}>{t('I have kept them')}</Button>
      </Group>
    </Alert>
  )
}
