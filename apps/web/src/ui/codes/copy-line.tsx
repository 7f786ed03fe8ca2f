import { Code, Group, type GroupProps } from '@mantine/core'
import { CopyButton } from './copy-button.tsx'
import './copy-line.css'

interface CopyLineProps extends Pick<GroupProps, 'mt'> {
  value: string
}

/** Text to be typed or kept elsewhere, exactly as it is, with the button that copies it. */
export function CopyLine({ value, ...more }: CopyLineProps) {
  return (
    <Group gap="xs" align="stretch" className="copy-line" {...more}>
      <Code className="secret-value">{value}</Code>
      <CopyButton value={value} />
    </Group>
  )
}
