/** Compares plain data. */

/** @returns the places with other leaves: `{ place, before, after }`; undefined where there is nothing */
export function changesBetween(before, after, place = []) {
  if (Object.is(before, after)) return []
  if (!isComposite(before) || !isComposite(after) || Array.isArray(before) !== Array.isArray(after)) {
    return isSameCode(before, after) ? [] : [{ place, before, after }]
  }
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].flatMap((name) => changesBetween(before[name], after[name], [...place, name]))
}

export function countLeaves(value) {
  return isComposite(value) ? Object.values(value).reduce((sum, each) => sum + countLeaves(each), 0) : 1
}

function isComposite(value) {
  return typeof value === 'object' && value !== null && !(value instanceof RegExp)
}

/** Of functions and regular expressions, only the text can be compared. */
function isSameCode(before, after) {
  const isCode = (value) => typeof value === 'function' || value instanceof RegExp
  return isCode(before) && isCode(after) && String(before) === String(after)
}
