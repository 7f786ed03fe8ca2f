import { Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Icon, type IconName } from '../icon.tsx'
import './empty-state.css'

interface EmptyStateProps {
  icon: IconName
  title: string
  /** What to do next, in a sentence. */
  children?: ReactNode
  /** The button that does it. */
  action?: ReactNode
}

/** Nothing is here yet, and what to do about it. */
export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <Stack align="center" gap="xs" py="xl" px="md" className="empty-state">
      <Icon name={icon} size={36} strokeWidth={1.4} />
      <Title order={2} ta="center">
        {title}
      </Title>
      {children !== undefined && (
        <Text component="div" c="dimmed" ta="center" maw="34rem">
          {children}
        </Text>
      )}
      {action}
    </Stack>
  )
}
