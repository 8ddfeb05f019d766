/** Compares plain data. */

/** @returns the places with other leaves: `{ place, before, after }`; undefined where there is nothing */
export function changesBetween(before, after, place = []) {
  if (Object.is(before, after)) return []
  if (!isComposite(before) || !isComposite(after) || Array.isArray(before) !== Array.isArray(after)) {
    return isSameFunction(before, after) ? [] : [{ place, before, after }]
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

/** Closures and expressions cannot be compared, only their text. */
function isSameFunction(before, after) {
  const isCode = (value) => typeof value === 'function' || value instanceof RegExp || typeof value === 'bigint'
  return isCode(before) && isCode(after) && String(before) === String(after)
}
