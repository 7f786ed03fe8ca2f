import { Box } from '@mantine/core'
import { Outlet, useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { t } from '../../../lib/i18n/t.ts'
import { may } from '../../../lib/permissions.ts'
import { useSession } from '../../../lib/session.ts'
import { settingsNavigation } from '../../navigation.ts'
import { AreaLinks } from '../../shell/area-links.tsx'
import './settings-layout.css'

/** The pages of the settings, with their list beside (on a phone: above) them. */
export function SettingsLayout() {
  const session = useSession()
  const { pathname } = useLocation()
  const list = useRef<HTMLElement>(null)
  // On a phone the list is wider than the screen: the page that is open stands in it where it can be seen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is another entry
  useEffect(() => {
    list.current?.querySelector('[data-status="active"]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [pathname])
  return (
    <div className="settings">
      <Box
        component="nav"
        aria-label={t('Settings')}
        className="settings-side"
        ref={list}
        // A browser leaves a link where it is when only a part of it can be seen.
        onFocus={({ target }) => target.scrollIntoView({ block: 'nearest', inline: 'nearest' })}
      >
        <AreaLinks areas={settingsNavigation.filter(({ least }) => may(session, least))} />
      </Box>
      <Box miw={0}>
        <Outlet />
      </Box>
    </div>
  )
}
