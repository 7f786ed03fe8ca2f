import { Box } from '@mantine/core'
import { Outlet } from '@tanstack/react-router'
import { may } from '../../../lib/permissions.ts'
import { useSession } from '../../../lib/session.ts'
import { settingsNavigation } from '../../navigation.ts'
import { AreaLinks } from '../../shell/area-links.tsx'
import './settings-layout.css'

/** The pages of the settings, with their list beside (on a phone: above) them. */
export function SettingsLayout() {
  const session = useSession()
  return (
    <div className="settings">
      <nav aria-label="Settings" className="settings-side">
        <AreaLinks areas={settingsNavigation.filter(({ least }) => may(session, least))} />
      </nav>
      <Box miw={0}>
        <Outlet />
      </Box>
    </div>
  )
}
