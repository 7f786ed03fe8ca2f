import { TagsInput, type TagsInputProps } from '@mantine/core'
import { useState } from 'react'

/** Tags that are chosen or typed. Its list closes with each that is taken: it would else lie over the button below. */
export function TagsField({ onChange, ...props }: TagsInputProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <TagsInput
      {...props}
      dropdownOpened={isOpen}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      onChange={(tags) => {
        setOpen(false)
        onChange?.(tags)
      }}
    />
  )
}
