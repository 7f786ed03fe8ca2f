import { Group, Paper, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import './panel.css'

interface PanelProps {
  title?: string
  actions?: ReactNode
  children: ReactNode
}

/** A piece of a page with a heading of its own. */
export function Panel({ title, actions, children }: PanelProps) {
  const id = useId()
  return (
    <Paper component="section" className="panel" aria-labelledby={title === undefined ? undefined : id}>
      {title !== undefined && (
        <Group justify="space-between" mb="sm" gap="xs">
          <Title order={2} id={id}>
            {title}
          </Title>
          {actions}
        </Group>
      )}
      {children}
    </Paper>
  )
}
