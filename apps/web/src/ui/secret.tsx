import { Alert, Button, Code, CopyButton, Group, Text } from '@mantine/core'
import { Icon } from './icon.tsx'

interface SecretProps {
  /** What it is: `API key`, `Invitation link`. */
  label: string
  value: string
}

/** A secret that the service tells once: shown in full, to be copied now. */
export function Secret({ label, value }: SecretProps) {
  return (
    <Alert color="yellow" variant="light" title={`${label}: shown only now`} icon={<Icon name="key" />}>
      <Text size="sm">Copy it to where it is needed. It cannot be shown again.</Text>
      <Group mt="xs" gap="xs" wrap="nowrap" align="stretch">
        <Code className="secret-value">{value}</Code>
        <CopyButton value={value}>
          {({ copied, copy }) => (
            <Button onClick={copy} leftSection={<Icon name={copied ? 'check' : 'copy'} size={16} />} variant="default">
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
      </Group>
    </Alert>
  )
}
