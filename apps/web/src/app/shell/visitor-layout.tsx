import { Center, Group, Paper, Text } from '@mantine/core'
import { Outlet } from '@tanstack/react-router'
import { ColorSchemeToggle } from './color-scheme-toggle.tsx'
import { LanguageLinks } from './language-links.tsx'
import './visitor-layout.css'
import '../../ui/page/panel.css'

/** A card in the middle: for everybody who is not signed in. */
export function VisitorLayout() {
  return (
    <Center component="main" className="visitor" id="main">
      <Paper className="panel visitor-card">
        <Group justify="space-between" mb="md">
          <Group gap="xs">
            <img src="/favicon.svg" alt="" width={28} height={28} />
            <Text fw={650}>Printyard</Text>
          </Group>
          <Group gap={4}>
            <LanguageLinks />
            <ColorSchemeToggle />
          </Group>
        </Group>
        <Outlet />
      </Paper>
    </Center>
  )
}
