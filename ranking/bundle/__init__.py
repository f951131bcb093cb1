"""What a stranger needs to check a release, in one ZIP, and the check itself.

members.py     the files of a bundle, from what a release sealed                      pure
archive.py     files to a ZIP of fixed bytes and back; the manifest                    pure
verification.py  every fault of a bundle, by file or by the path of the figure          pure
__main__.py    the same as a program without Django                                    pure
releases.py    the bundle of a publication, and the chain of all publications          reads the database
checker.py     the pure modules in one file                                            reads their source
"""
