import type { UseFormReturnType } from '@mantine/form'
import { useEffect, useRef } from 'react'
import type { Values } from '../../kept-form.ts'
import { useLooks } from '../looks/queries.ts'

/**
 * A new series begins with the style that is used for new codes, as a new code does on the server. What
 * somebody has chosen meanwhile stays.
 */
export function useBeginningLook(form: UseFormReturnType<Values>, options: Options): void {
  const { isKept, hasArtwork } = options
  const { data } = useLooks()
  const isBegun = useRef(isKept)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it waits for the first answer, and nothing else
  useEffect(() => {
    if (!data || isBegun.current) return
    isBegun.current = true
    const kept = data.find(({ isDefault }) => isDefault)
    if (!kept) return
    const look = hasArtwork ? kept.look : { ...kept.look, artwork: null }
    const isChosen = Object.keys(look).some((field) => form.isDirty(field))
    if (isChosen) return
    form.setInitialValues({ ...form.getInitialValues(), ...look })
    form.setValues(look)
  }, [data])
}

type Options = {
  /** It goes on with a form that was kept */
  isKept: boolean
  /** Of the plan */
  hasArtwork: boolean
}
