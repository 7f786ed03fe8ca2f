import { ActionIcon, Menu, type MenuProps } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Icon } from '../icon.tsx'

interface RowMenuProps extends Pick<MenuProps, 'width' | 'shadow'> {
  /** What a reader hears: `Actions for North 1`. */
  label: string
  isBusy?: boolean
  /** `Menu.Item`s. */
  children: ReactNode
}

/**
 * The menu of one thing among many, behind three dots. It is made when it is first asked for: in a list of a hundred,
 * menus that no one opens were half of what the list took to be drawn.
 */
export function RowMenu({ label, isBusy = false, children, ...look }: RowMenuProps) {
  const [isMade, setIsMade] = useState(false)
  const [isOpen, setIsOpen] = useState(false)
  const target = useRef<HTMLButtonElement>(null)

  // The button is another one now: it takes the focus over, so that closing the menu gives it back to a button that is there.
  useEffect(() => {
    if (!isMade) return
    target.current?.focus({ preventScroll: true })
    setIsOpen(true)
  }, [isMade])

  const button = (
    <ActionIcon
      ref={target}
      aria-label={label}
      loading={isBusy}
      {...(!isMade && { 'aria-haspopup': 'menu', 'aria-expanded': false, onClick: () => setIsMade(true) })}
    >
      <Icon name="more" />
    </ActionIcon>
  )
  if (!isMade) return button
  return (
    <Menu position="bottom-end" withinPortal opened={isOpen} onChange={setIsOpen} {...look}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}
