import { UnstyledButton } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { lazy, Suspense, useState } from 'react'
import { t } from '../../lib/i18n/t.ts'
import { Icon } from '../../ui/icon.tsx'
import { hasPageToItself } from '../../ui/page/page-keys.ts'
import './find-button.css'

const load = async () => ({ default: (await import('../search/find-dialog.tsx')).FindDialog })

/** Fetched when it is first wanted: the first page is shown without it. */
const FindDialog = lazy(load)

const isApple = /Mac|iPhone|iPad/.test(navigator.platform)

/** Opens the search over everything, as Ctrl K does from anywhere but a dialog. */
export function FindButton() {
  const [isOpen, setIsOpen] = useState<boolean>()
  const open = () => setIsOpen(true)
  // In fields too: it types nothing.
  useHotkeys([['mod+K', () => hasPageToItself(document) && open()]], [], true)
  return (
    <>
      <UnstyledButton
        className="find-button touch-target"
        aria-label={t('Find anything')}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={open}
        onPointerEnter={() => void load()}
      >
        <Icon name="search" size={18} />
        <span className="find-button-words">{t('Find anything')}</span>
        <span className="find-button-keys" data-keys={isApple ? '⌘ K' : 'Ctrl K'} />
      </UnstyledButton>
      {isOpen !== undefined && (
        <Suspense fallback={null}>
          <FindDialog isOpen={isOpen} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
