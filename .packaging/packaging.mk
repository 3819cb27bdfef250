# Files for distribution: tarball, Debian packages, RPM, one static program. Everything goes to build/dist/.
DIST := build/dist
RELEASE := fs-tools-$(VERSION)
SYSTEMD_UNITS ?= $(PREFIX)/lib/systemd/system
# Replaces the placeholders in the files of this folder.
SUBSTITUTE := sed -e 's|@VERSION@|$(VERSION)|g' -e 's|@PREFIX@|$(PREFIX)|g' -e 's|@BINDIR@|$(PREFIX)/bin|g' -e 's|@LIBDIR@|$(LIBDIR)|g'

.PHONY: dist deb rpm dist-static check-packages install-site uninstall-site

# Packs the committed tree: the same bytes on any machine at any time.
dist:
	@mkdir -p $(DIST)
	git archive --prefix=$(RELEASE)/ HEAD | gzip -9n >$(DIST)/$(RELEASE).tar.gz

# Source and binary packages. DEB_FLAGS are options of dpkg-buildpackage.
DEB_FLAGS ?= -us -uc
deb: dist
	rm -rf $(DIST)/deb && mkdir -p $(DIST)/deb
	cp $(DIST)/$(RELEASE).tar.gz $(DIST)/deb/fs-tools_$(VERSION).orig.tar.gz
	tar -xzf $(DIST)/$(RELEASE).tar.gz -C $(DIST)/deb
	cp -r .packaging/debian $(DIST)/deb/$(RELEASE)
	.packaging/changelog.sh >$(DIST)/deb/$(RELEASE)/debian/changelog
	cd $(DIST)/deb/$(RELEASE) && dpkg-buildpackage $(DEB_FLAGS)

rpm: dist
	rm -rf $(DIST)/rpm && mkdir -p $(DIST)/rpm/SOURCES $(DIST)/rpm/SPECS
	cp $(DIST)/$(RELEASE).tar.gz $(DIST)/rpm/SOURCES
	$(SUBSTITUTE) .packaging/fs-tools.spec >$(DIST)/rpm/SPECS/fs-tools.spec
	rpmbuild --define "_topdir $(CURDIR)/$(DIST)/rpm" $(RPM_FLAGS) -ba $(DIST)/rpm/SPECS/fs-tools.spec

dist-static:
	.packaging/static.sh $(DIST)/fs-tools-static

# Builds and tests all of them.
check-packages: get-packages
	@tests/packages/run.sh

UNITS := fs-snap.service fs-snap.timer fs-snap-keep.service fs-snap-keep.timer

# Units, cron line, rotation and modulefiles of a site.
install-site:
	install -d $(DESTDIR)$(SYSTEMD_UNITS) $(DESTDIR)$(PREFIX)/share/fs-tools/modulefiles $(DESTDIR)$(PREFIX)/share/fs-tools/examples
	for u in $(UNITS); do $(SUBSTITUTE) .packaging/systemd/$$u >$(DESTDIR)$(SYSTEMD_UNITS)/$$u; done
	for f in cron logrotate; do $(SUBSTITUTE) .packaging/systemd/fs-snap.$$f >$(DESTDIR)$(PREFIX)/share/fs-tools/examples/fs-snap.$$f; done
	for f in lua tcl; do $(SUBSTITUTE) .packaging/modules/fs-tools.$$f >$(DESTDIR)$(PREFIX)/share/fs-tools/modulefiles/fs-tools.$$f; done

uninstall-site:
	for u in $(UNITS); do rm -f $(DESTDIR)$(SYSTEMD_UNITS)/$$u; done
