export async function record() {}
